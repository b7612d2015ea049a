#!/bin/sh
# restart.sh PORT…, as root: each process begins anew when the one before it takes people in again.
set -eu
[ $# -gt 0 ] || { echo "restart.sh PORT…" >&2; exit 2; }
host=$(. /etc/five211/env; echo "${FIVE211_HOST:-127.0.0.1}")
case $host in *:*) host="[$host]" ;; esac
for port in "$@"; do
  systemctl restart "five211@$port"
  tries=0
  until curl -fs --noproxy '*' --max-time 6 -o /dev/null "http://$host:$port/api/ready"; do
    tries=$((tries + 1))
    if [ "$tries" -ge 60 ]; then
      echo "five211@$port does not get ready, and the next are left as they were." >&2
      echo "Why: journalctl -u five211@$port -n 50" >&2
      exit 1
    fi
    sleep 1
  done
done
