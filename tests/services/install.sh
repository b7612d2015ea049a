#!/bin/sh -e
# The servers that tests start themselves, from Debian's packages; Debian's own are not started.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  printf '#!/bin/sh\nexit 101\n' > $policy
  chmod +x $policy
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  postgresql redis-server nginx systemd openssl curl >/dev/null
