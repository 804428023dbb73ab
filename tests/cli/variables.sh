#!/bin/sh
# variables.sh heist root
# Every variable that the libraries read stands in docs/reference/environment.md, and nothing else does; and heist --help
# names all but those of test builds.
heist=$1 root=$2
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
names() { grep -o 'HEIST_[A-Z_]*[A-Z]' | sort -u; }
grep -r -h -o '"HEIST_[A-Z_]*"' "$root/heist" "$root/analysis/race" --include='*.cpp' | names > "$folder/read"
grep '^| `HEIST_' "$root/docs/reference/environment.md" | cut -d '|' -f 2 | names > "$folder/documented"
"$heist" --help | names > "$folder/named"
echo HEIST_CHAOS | sort - "$folder/named" > "$folder/named_or_test"
failed=0
diff "$folder/read" "$folder/documented" || { echo "FAILED: read and not documented (<), or the other way"; failed=1; }
diff "$folder/read" "$folder/named_or_test" || { echo "FAILED: read and not named by heist --help (<), or the other way"; failed=1; }
exit $failed
