#!/bin/sh
# Gloam's command line. Root runs it as the table's own user, on the table's own games.
if [ "$(id -u)" = 0 ]; then
    exec runuser -u gloam -- env HOME=/var/lib/gloam GLOAM_DATA=/var/lib/gloam /opt/gloam/current/bin/gloam "$@"
fi
exec /opt/gloam/current/bin/gloam "$@"
