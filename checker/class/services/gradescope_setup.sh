#!/usr/bin/env bash
# Run once, when the image of the autograder is made: installs what the kit needs, and builds it.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends make bash
cd /autograder/source/kit
bash checker/commands/setup.sh
bash checker/class/services/build.sh
chmod -R a+rX .
