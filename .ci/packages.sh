# What the two commands need from Debian 12. Sourced by app/run and tests/run.

run_packages="cmake ninja-build clang-16 g++ pkg-config git ca-certificates
  qt6-base-dev qt6-websockets-dev qt6-svg-dev libqt6sql6-sqlite libsqlite3-dev
  qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools qcoro-qt6-dev libspdlog-dev libboost1.81-dev
  nlohmann-json3-dev mold"
# Fonts the window looks best with; it works without.
look_packages="fonts-inter fonts-jetbrains-mono fonts-dejavu-core"
test_packages="$run_packages fonts-dejavu-core fonts-inter fonts-jetbrains-mono curl
  libclang-rt-16-dev clang-tools-16 clang-format-16 ccache python3"

# need PACKAGE...: installs what is missing, or says which packages and ends with 1.
need() {
    missing=""
    for package in "$@"; do
        dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed' || missing="$missing $package"
    done
    [ -z "$missing" ] && return 0
    if ! command -v apt-get >/dev/null; then
        echo "Missing packages:$missing. This script installs them on Debian only; install their counterparts by hand." >&2
        return 1
    fi
    sudo=""
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || { echo "Missing packages:$missing. Install them as root, or install sudo." >&2; return 1; }
        sudo="sudo"
    fi
    echo "Installing:$missing"
    $sudo apt-get update -qq || true
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/tmp/terrarium-apt.$$ 2>&1 || {
        tail -n 20 /tmp/terrarium-apt.$$ >&2
        rm -f /tmp/terrarium-apt.$$
        echo "Could not install:$missing" >&2
        return 1
    }
    rm -f /tmp/terrarium-apt.$$
}
