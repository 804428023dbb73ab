#!/usr/bin/env bash
# script/docs, in a scratch copy of the tree: it sees a page that no index has, a module's README likewise, a line of prose that
# is too long, and a link that leads nowhere; and lets long tables and code be.
set -uo pipefail
root=$(realpath "$1")
. "$(dirname "$(realpath "$0")")/../cli/expect.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root" || exit 1
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$work" || exit 1
cd "$work" || exit 1
git init -q . || exit 1 # the script asks git for the pages

long=$(printf 'word %.0s' {1..25})
printf '# A page\n\n%s\n' "$long" >docs/guides/forgotten.md
mkdir heist/forgotten
printf '# forgotten\n\n| %s |\n| --- |\n\n```\n%s\n```\n\n    %s\n\n[nowhere](nowhere.md)\n' "$long" "$long" "$long" >heist/forgotten/README.md
output=$(script/docs --check)
[ $? -eq 1 ] || complain "accepts what it must refuse"
for line in "docs/guides/forgotten.md:3: longer than 100 columns" "heist/forgotten/README.md: there is no nowhere.md" \
  "docs/README.md lacks docs/guides/forgotten.md" "docs/internals/README.md lacks heist/forgotten/README.md"; do
  grep -qxF -- "$line" <<<"$output" || complain "does not say \"$line\""
done
grep -q "heist/forgotten/README.md:[0-9]*: longer" <<<"$output" && complain "refuses long tables or code"
[ "$(wc -l <<<"$output")" -eq 5 ] || complain "says more than that: $output"

exit $failed
