#!/usr/bin/env bash
# pages.sh heist: manual pages and completions say what --help says, and shells and man can read them.
set -uo pipefail
heist=$(realpath "$1")
. "$(dirname "$0")/expect.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# Every action and option of --help, at every level, is in the page.
"$heist" man --into pages || complain "no pages"
actions() { "$heist" "$@" --help | sed -n '/^Subcommands:/,/^$/p' | sed -nE 's/^  ([a-z]+) .*/\1/p'; }
options() { "$heist" "$@" --help | sed -n '/^Options:/,/^$/p' | grep -oE '^  -[-a-zA-Z0-9,]+' | tr -d ' ' | tr , '\n'; }
pages=0
look_at() { # action…: its page, and those below
  local page=pages/heist action option
  for action in "$@"; do page+=-$action; done
  [ -s "$page.1" ] || { complain "no page $page.1"; return; }
  pages=$((pages + 1))
  for option in $(options "$@"); do
    grep -qF -- "\\fB${option//-/\\-}\\fR" "$page.1" || complain "$page.1 does not have $option"
  done
  for action in $(actions "$@"); do
    [ "$action" = help ] && continue
    grep -qF "\\fB$action\\fR" "$page.1" || complain "$page.1 does not have $action"
    look_at "$@" "$action"
  done
}
look_at
[ "$pages" -eq "$(find pages -type f | wc -l)" ] || complain "$pages actions, other pages: $(ls pages)"
[ "$pages" -ge 15 ] || complain "only $pages actions were found"
# What whatis says of one is not what it says of another.
same=$(sed -n '/^\.SH NAME/{n;p}' pages/* | sed 's/.* \\- //' | sort | uniq -d)
[ -z "$same" ] || complain "several pages have the name: $same"
if command -v man >/dev/null; then
  for page in pages/*; do
    said=$(MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null)
    [ -z "$said" ] || complain "$page: $said"
  done
fi
expect 2 "$heist" man nonsense
expect 2 "$heist" completion tcsh

# Bash: what a user sees after some words and the tab key.
"$heist" completion bash >heist.bash
bash -n heist.bash || complain "bash cannot read it"
completes() { # "expected words" word…: the last word is being typed
  local expected=$1 got
  shift
  got=$(bash -c 'source heist.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heist; printf "%s\n" "${COMPREPLY[@]}"' bash heist "$@" | xargs)
  [ "$got" = "$expected" ] || complain "after \"heist $*\" bash offers \"$got\" instead of \"$expected\""
}
touch run.json
completes "profile" pro
completes "predict" sim pred
completes "proof predict" sim pr
completes "--workers" profile --wor
completes "time strand" profile --unit ""
completes "strand" profile --unit s
completes "--" profile ""
completes "run.json" profile -o ru
completes "run.json" report ru
completes "run.json" profile -- ./program ru
completes "bash" completion ba
[[ " $(bash -c 'source heist.bash; COMP_WORDS=(heist profile -- ls); COMP_CWORD=3; _heist; echo "${COMPREPLY[@]}"') " == *" ls "* ]] ||
  complain "bash does not offer programs after --"

# zsh and fish, where they are installed: they read it, and fish completes with it.
"$heist" completion zsh >_heist
if command -v zsh >/dev/null; then zsh -n _heist || complain "zsh cannot read it"; fi
"$heist" completion fish >heist.fish
if command -v fish >/dev/null; then
  offers() { fish --no-config -c "source heist.fish; complete -C '$1'" 2>&1 | cut -f1 | xargs; }
  [ "$(offers 'heist pro')" = profile ] || complain "fish offers \"$(offers 'heist pro')\" after \"heist pro\""
  [ "$(offers 'heist sim pred')" = predict ] || complain "fish offers \"$(offers 'heist sim pred')\" after \"heist sim pred\""
  [ "$(offers 'heist profile --unit s')" = strand ] || complain "fish offers \"$(offers 'heist profile --unit s')\""
fi
exit $failed
