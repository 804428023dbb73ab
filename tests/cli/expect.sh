# For tests of the command, which source it: each complaint sets `failed`.
failed=0
complain() {
  echo "$*"
  failed=1
}
expect() { # code command…: its exit code, and with 2 one line of complaint
  local code=$1 output status lines
  shift
  output=$("$@" 2>&1)
  status=$?
  if [ $status -ne "$code" ]; then
    complain "exit code $status instead of $code: $* ($output)"
  elif [ "$code" -eq 2 ]; then
    lines=$(printf '%s\n' "$output" | wc -l)
    [ "$lines" -eq 1 ] || complain "$lines lines of complaint: $*"
  fi
}
says() { # text command…
  local text=$1
  shift
  grep -qF -- "$text" <<<"$("$@" 2>&1)" || complain "does not say \"$text\": $*"
}
