# Set-up and build, shared by ./run, ./test and bench/run: source it with $root set to the checkout.
# All it says goes to standard error, and it says nothing when there is nothing to do.

say() { printf 'banyan: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }

# At most one set-up or build at a time in this checkout.
lock() {
  mkdir -p "$root/build"
  exec 9>"$root/build/.lock"
  flock --nonblock 9 || { say "waiting for another build in $root"; flock 9; }
}
unlock() { exec 9>&-; }

# packages_of PART...: the packages that the file `packages` lists under these parts.
packages_of() {
  local line part=
  while read -r line || [ -n "$line" ]; do
    line=${line%%#*}
    line=${line%"${line##*[![:space:]]}"}
    case $line in
      '') ;;
      '['*) part=${line//[\[\]]/} ;;
      *) case " $* " in *" $part "*) printf '%s\n' "$line" ;; esac ;;
    esac
  done <"$root/packages"
}

# missing_packages PART...: those of them that are not installed.
missing_packages() {
  local wanted installed package
  wanted=$(packages_of "$@")
  # shellcheck disable=SC2086
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null) || true
  for package in $wanted; do
    # Debian's npm does not go with a node from elsewhere, which brings its own.
    if [ "$package" = npm ] && command -v npm >/dev/null; then continue; fi
    case $'\n'$installed$'\n' in
      *$'\n'"installed $package"$'\n'*) ;;
      *) printf '%s\n' "$package" ;;
    esac
  done
}

# setup PART...: installs what is missing. A stamp, valid for one content of the package file, makes this free
# from the second call on.
setup() {
  local sum stamp missing
  sum=$(cksum <"$root/packages")
  stamp=$root/build/.setup-$(IFS=-; echo "$*")-${sum%% *}
  [ -e "$stamp" ] && return
  command -v dpkg-query >/dev/null || die "the set-up needs Debian 12; on other systems install by hand what" \
    "the file 'packages' lists, and build with cmake"
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -z "$missing" ] || install_packages $missing
  rm -f "$root/build/.setup-$(IFS=-; echo "$*")-"*
  : >"$stamp"
}

# What the browser tests need from npm goes into build/browser, as the lock file says.
setup_browser() {
  local from=$root/tests/browser to=$root/build/browser sum
  sum=$(cat "$from/package.json" "$from/package-lock.json" | cksum)
  [ -e "$to/.ready-${sum%% *}" ] && return
  say "installing what the browser tests need into build/browser"
  rm -rf "$to"
  mkdir -p "$to"
  cp "$from/package.json" "$from/package-lock.json" "$from/.npmrc" "$to"
  (cd "$to" && npm ci) </dev/null >"$root/build/browser.log" 2>&1 || {
    tail -n 25 "$root/build/browser.log" >&2
    die "npm could not install what the browser tests need"
  }
  : >"$to/.ready-${sum%% *}"
}

install_packages() {
  local log=$root/build/setup.log as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "these Debian packages are missing and installing them takes root:" \
      "run this as root once, or install sudo, or have an administrator run:  apt-get install $*"
    as_root=(sudo)
  fi
  say "installing $*"
  : >"$log"
  apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 "$@" \
      </dev/null >>"$log" 2>&1
  }
  # Nobody asked for the services that some packages would start: tests start their own. Debian asks this file.
  local policy=/usr/sbin/policy-rc.d
  (
    if [ ! -e "$policy" ]; then
      trap '"${as_root[@]}" rm -f "$policy"' EXIT
      printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
      "${as_root[@]}" chmod 755 "$policy"
    fi
    # Lists may be missing (a fresh image) or so old that the files they name are gone.
    compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null && apt install --no-install-recommends "$@" && exit
    apt update && apt install --no-install-recommends "$@"
  ) || {
    tail -n 25 "$log" >&2
    die "could not install the packages above; all of apt's output is in $log"
  }
}

# configure TREE [CMAKE-ARGUMENT...]: makes build/TREE ready for ninja. Without arguments, whatever the tree was
# configured with is kept.
configure() {
  local tree=$root/build/$1 want got=
  shift
  want="$root"$'\n'"$*"
  [ -e "$tree/build.ninja" ] && [ -e "$tree/.configured" ] && got=$(<"$tree/.configured")
  if [ $# = 0 ] && [ "${got%%$'\n'*}" = "$root" ]; then return; fi
  [ "$got" = "$want" ] && return
  # A checkout that was moved or copied: CMake's cache is bound to the old path.
  [ -e "$tree" ] && [ "${got%%$'\n'*}" != "$root" ] && rm -rf "$tree"
  mkdir -p "$tree"
  cmake -S "$root" -B "$tree" -G Ninja "$@" </dev/null >"$tree/configure.log" 2>&1 || {
    cat "$tree/configure.log" >&2
    forget_setup
    die "cmake could not configure $tree"
  }
  printf '%s' "$want" >"$tree/.configured"
}

# After a failure the next call looks again whether all packages are there.
forget_setup() { rm -f "$root"/build/.setup-*; }

# program_target: the program, with its part for GPUs where a GPU is.
program_target() {
  if [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; then echo banyan_with_gpu; else echo banyan; fi
}

# build TREE TARGET...: shows a counter on a terminal, one line elsewhere, and all of the compiler's words on failure.
build() {
  local tree=$root/build/$1 start=$SECONDS
  shift
  NINJA_STATUS='[%f/%t] ' ninja -C "$tree" -j "$(nproc)" "$@" </dev/null 2>&1 | show_progress "$tree" >"$tree/build.log"
  if [ "${PIPESTATUS[0]}" != 0 ]; then
    cat "$tree/build.log" >&2
    forget_setup
    say "the build failed (${tree#"$root/"})"
    return 1
  fi
  if [ -s "$tree/build.worked" ]; then
    say "built ${tree#"$root/"} in $((SECONDS - start)) s"
    rm -f "$tree/build.worked"
  fi
}

show_progress() {
  local line tree=$1 worked=
  while IFS= read -r line; do
    case $line in
      *'] Re-checking globbed directories'* | *'] Re-running CMake'* | 'ninja: Entering'* | 'ninja: no work'* | '-- '*) ;;
      '['[0-9]*/[0-9]*'] '*)
        if [ -z "$worked" ]; then
          worked=1
          echo 1 >"$tree/build.worked"
          [ -t 2 ] || say "building ${tree#"$root/"}"
        fi
        [ -t 2 ] && printf '\r\033[Kbanyan: building %s %s' "${tree#"$root/"}" "${line%%]*}]" >&2
        ;;
      *) printf '%s\n' "$line" ;;
    esac
  done
  if [ -n "$worked" ] && [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

# The compiler cache is shared by all checkouts of this user; where there is no home to keep it in, it is the build's.
if [ -z "${CCACHE_DIR:-}" ] && ! [ -w "${HOME:-/nonexistent}" ]; then export CCACHE_DIR=$root/build/ccache; fi
