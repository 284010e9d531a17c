#!/bin/sh
# install.sh VENV ARGUMENT…: install into VENV, with uv where it is there or can be had, else with pip; shows progress.
set -eu
venv=$1
shift
python="$venv/bin/python"
if command -v uv >/dev/null 2>&1; then
    uv=uv
elif [ -x "$venv/bin/uv" ] || "$python" -m pip --disable-pip-version-check install --quiet uv >/dev/null 2>&1; then
    uv="$venv/bin/uv"
else
    uv=
fi
if [ -n "$uv" ]; then
    echo "Installing with uv: $*"
    if "$uv" pip install --python "$python" "$@"; then
        exit 0
    fi
    echo "uv could not install this; trying pip."
fi
echo "Installing with pip: $*"
exec "$python" -m pip --disable-pip-version-check install --progress-bar on "$@"
