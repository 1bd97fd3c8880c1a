#!/bin/sh
# Stand-in for the commands of an ESXi lab host: prints what the lab rendered for this very command line. It uses the shell's own words
# only, because a check-in runs some eighty of these and the whole fleet shares one machine. A command that sets something goes to the
# lab's own process, which holds the host's state.
form=text
line=${0##*/}
for word; do
  case $word in
    --formatter=*) form=${word#*=} ;;
    --debug) ;;
    *) line="$line $word" ;;
  esac
done
case "$line " in
  *" set "*) exec "${0%/*}/python3" "$LAB_SET" "${0##*/}" "$@" ;;
esac
[ -e "$LAB_HOST/hang/${0##*/}" ] && exec /bin/sleep 3600
# A command that takes its time, as the list of devices does on real hosts, and one that is refused in its own words.
if [ -f "$LAB_HOST/slow/$line" ]; then
  read -r seconds < "$LAB_HOST/slow/$line"
  /bin/sleep "$seconds"
fi
if [ -f "$LAB_HOST/refused/$line" ]; then
  /bin/cat "$LAB_HOST/refused/$line"
  exit 1
fi
file="$LAB_HOST/answers/$form/$line"
if [ ! -f "$file" ]; then
  echo "Error: Unknown command or namespace ${line#esxcli }"
  exit 1
fi
if [ -f "$file.exit" ]; then
  /bin/cat "$file"
  read -r code < "$file.exit"
  exit "$code"
fi
exec /bin/cat "$file"
