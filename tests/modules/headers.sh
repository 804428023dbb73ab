#!/bin/sh
# headers.sh source-folder: every header hides what it has, between HEIST_BEGIN after its last #include and HEIST_END in its last
# line, and includes what says so. heist/base/export.hpp has the reasons.
cd "$1" || exit 1
failed=0
for header in $(find heist -name '*.hpp'); do
  case $header in heist/heist.hpp | heist/version.hpp | heist/base/export.hpp) continue ;; esac
  fault=$(awk '
    /^#if/ { depth++ }
    /^#endif/ { depth-- }
    /^#include/ { last = NR }
    /^#include <heist\/base\/export.hpp>/ && depth == 0 { included = NR }
    /^HEIST_BEGIN$/ { begins = NR; begun++ }
    /^(extern|inline|namespace|template|class|struct|HEIST_[AICN])/ && !begun { early = NR }
    { end = $0 }
    END {
      if (!included) print "does not include <heist/base/export.hpp>"
      else if (begun != 1 || begins < last) print "has not one HEIST_BEGIN, after its last #include"
      else if (early) print "has something before HEIST_BEGIN"
      else if (end != "HEIST_END") print "does not end with HEIST_END"
    }' "$header")
  [ -z "$fault" ] || { echo "FAILED: $header $fault"; failed=1; }
done
exit $failed
