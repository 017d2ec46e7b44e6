# The stages of ./test --all, each timed and each counted as one more test. Sourced by ./test.

report=() left_out=0
# Names and lines in the sanitizers' reports, by what every machine with a compiler has.
symbolizer=external_symbolizer_path=/usr/bin/addr2line
export ASAN_OPTIONS=$symbolizer TSAN_OPTIONS=$symbolizer UBSAN_OPTIONS=print_stacktrace=1:$symbolizer

# stage NAME FUNCTION MINUTES: runs it, if it can begin within so many minutes; a stage that fails does not keep the
# others from running. On a slow machine without a cache a verdict on most of them within 90 minutes is worth more than
# one on all of them too late. Which ones were left out is said at the end.
stage() {
  local start=$SECONDS verdict=ok
  if [ "$SECONDS" -gt $(($3 * 60)) ]; then
    report+=("$(printf '%-44s       -  LEFT OUT after %d minutes' "$1" $((SECONDS / 60)))")
    left_out=$((left_out + 1))
    return
  fi
  printf '\n=== %s\n' "$1"
  if "$2"; then passed=$((passed + 1)); else failed=$((failed + 1)) verdict=FAILED; fi
  report+=("$(printf '%-44s %5d s  %s' "$1" $((SECONDS - start)) "$verdict")")
}

all_stages() {
  local start=$SECONDS verdict=ok
  printf '=== release build, every test\n'
  run_ctest || verdict=FAILED
  if [ $((passed + failed)) = 0 ]; then failed=1; return; fi  # it did not build: nor would the rest
  report+=("$(printf '%-44s %5d s  %s' "release build, every test" $((SECONDS - start)) $verdict)")
  stage "papers: the verdict on every statement" stage_papers 80
  stage "clang: all, and the lines that run" stage_clang 50
  stage "address and undefined behaviour sanitizers" stage_asan 50
  stage "fuzzing" stage_fuzz "$([ -x "$root/build/asan/unit_tests" ] && echo 80 || echo 50)"  # in the tree of the former
  stage "thread sanitizer: what has threads" stage_tsan 65
  stage "instructions of the simulator" stage_instructions 75
  stage "clang-tidy on what changed" stage_tidy 80
  printf '\n=== what ran\n'
  printf '%s\n' "${report[@]}"
  printf '\n=== what was tried against it (SECURITY.md)\n'
  count_attacks "$root/build/release/Testing/Temporary/LastTest.log" "$root"/build/fuzz/*.log
  [ "$left_out" = 0 ] || printf '\n%d stages were LEFT OUT for time: this run has not checked everything\n' "$left_out"
}

# count_attacks LOG...: sums what tests and fuzzers say of themselves: "48 kills", "70 faults injected", "9 inputs".
count_attacks() {
  cat -- "$@" 2>/dev/null | awk '
    /number_of_executed_units/ { fuzzed += $2 }
    match($0, /[0-9]+ inputs/) { fuzzed += substr($0, RSTART) + 0 }
    match($0, /[0-9]+ kills/) { kills += substr($0, RSTART) + 0 }
    match($0, /[0-9]+ faults injected/) { faults += substr($0, RSTART) + 0 }
    END { printf "%d inputs fuzzed, %d kills, %d faults injected\n", fuzzed, kills, faults }
  '
}

# in_tree TREE CMAKE-ARGUMENT... -- TARGET...
in_tree() {
  local tree=$1 arguments=()
  shift
  while [ "$1" != -- ]; do arguments+=("$1"); shift; done
  shift
  lock
  (configure "$tree" "${arguments[@]}" && build "$tree" "$@") || { unlock; return 1; }
  unlock
}

# run_tests BINARY: a whole test binary, in as many processes as there are cores, each with its share of the tests; only failures
# and the ends are of interest.
run_tests() {
  [ -x "$1" ] || { echo "${1##*/}: no such tests yet"; return 0; }
  echo "${1#"$root/build/"}"
  local shard shards running=() ok=0
  shards=$(nproc)
  for ((shard = 0; shard < shards; ++shard)); do
    GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$shard \
      "${wrapper[@]+"${wrapper[@]}"}" "$1" --gtest_brief=1 </dev/null >"$1.$shard.log" 2>&1 &
    running+=($!)
  done
  for ((shard = 0; shard < shards; ++shard)); do
    wait "${running[$shard]}" || ok=1
    cat "$1.$shard.log"
  done
  return $ok
}
wrapper=()

clang=(-DCMAKE_C_COMPILER=clang-16 -DCMAKE_CXX_COMPILER=clang++-16 -DCMAKE_BUILD_TYPE=Checked -DBANYAN_TESTS=ON)

stage_papers() { python3 -B tests/papers/quick.py "$root/build/release/banyan"; }

# A second compiler, with assertions on, and which lines the tests run: those that the release build judges run here for
# their lines alone.
stage_clang() {
  local tree=$root/build/clang profiles=$root/build/clang/profiles ok=0
  in_tree clang "${clang[@]}" -DBANYAN_BENCH=ON -DBANYAN_COVERAGE=ON -- all || return 1
  rm -rf "$profiles"
  export LLVM_PROFILE_FILE=$profiles/%4m.profraw  # processes of one program add to four files
  run_tests "$tree/unit_tests" || ok=1
  run_tests "$tree/library_tests" || ok=1
  run_for_lines "$tree" >"$tree/lines.log" 2>&1
  unset LLVM_PROFILE_FILE
  # OpenSM's plugin is libbanyan.so here; src/library is in its own tests. The Python module is not built with counters.
  python3 -B tools/coverage.py "$profiles" 90 "$tree/banyan" "$tree/unit_tests" "$tree/property_tests" "$tree/library_tests" \
    "$tree/libbanyan.so" || ok=1
  return $ok
}

run_for_lines() {
  local test
  python3 -B tests/papers/quick.py "$1/banyan" || true
  RC_PARAMS="${RC_PARAMS:-seed=20080601} max_success=5" run_tests "$1/property_tests" || true
  python3 -B tests/golden/run.py --program "$1/banyan" tests/golden/*.test || true
  ctest --test-dir "$1" -j "$(nproc)" --timeout 300 -E study.memory -R '^(study|serve|opensm|python|install[.]manual|mpi[.]s)' || true
}

# Leaks are looked for in the test binaries only: it costs seconds in every process.
stage_asan() {
  local tree=$root/build/asan ok=0
  in_tree asan "${clang[@]}" -DBANYAN_FUZZ=ON -- unit_tests property_tests banyan || return 1
  run_tests "$tree/unit_tests" || ok=1
  RC_PARAMS="${RC_PARAMS:-seed=20080601} max_success=20" run_tests "$tree/property_tests" || ok=1
  if compgen -G 'tests/golden/*.test' >/dev/null; then
    ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 python3 -B tests/golden/run.py --program "$tree/banyan" tests/golden/*.test || ok=1
  fi
  return $ok
}

# Suites of unit tests in files that have to do with threads, as a filter for them.
threaded_suites() {
  grep -lE 'thread|parallel|study/|serve/|Exchange' tests/unit/*.cpp |
    xargs sed -nE 's/^TEST(_F|_P)?\((\w+),.*/\2.*/p' | sort -u | paste -sd:
}

stage_tsan() {
  in_tree tsan "${clang[@]}" -DBANYAN_SANITIZE=thread -- unit_tests || return 1
  # Where addresses are randomised more than the sanitizer's run time expects, it needs them fixed.
  if setarch "$(uname -m)" -R true 2>/dev/null; then wrapper=(setarch "$(uname -m)" -R); fi
  local ok=0
  GTEST_FILTER=$(threaded_suites) run_tests "$root/build/tsan/unit_tests" || ok=1
  wrapper=()
  return $ok
}

# About a minute in all, two targets at a time. What is found stays in build/fuzz/; seeds are in tests/fuzz/corpus/.
stage_fuzz() {
  local targets=() source count
  for source in tests/fuzz/*.cpp; do
    [ -e "$source" ] || continue
    source=${source##*/}
    targets+=("${source%.cpp}")
  done
  count=${#targets[@]}
  [ "$count" != 0 ] || { echo "no fuzz targets yet"; return 0; }
  in_tree asan "${clang[@]}" -DBANYAN_FUZZ=ON -- fuzz_all || return 1
  echo "$count targets"
  export root
  printf '%s\0' "${targets[@]}" | xargs -0 -P 2 -I{} bash "$root/tools/fuzz" {} 6000
}

# A changed header is judged through the source of the same name, or else through the first that includes it.
files_to_tidy() {
  local file stem source
  while read -r file; do
    [ -e "$file" ] || continue
    case $file in
      src/*.cpp | tests/*.cpp | bench/*.cpp) echo "$file" ;;
      src/*.hpp)
        stem=${file%.hpp}
        if [ -e "$stem.cpp" ]; then
          echo "$stem.cpp"
        else
          source=$(grep -rlF --include='*.cpp' "#include \"${file#src/}\"" src | sort | head -n 1) || true
          [ -z "$source" ] || echo "$source"
        fi
        ;;
    esac
  done | sort -u
}

# The commit that this one is compared with: BASE, the branch point from origin's default branch, or the parent.
# Nothing where there is none.
base_commit() {
  local git=(git -c "safe.directory=$root") from=$base branch
  if [ -z "$from" ] && branch=$("${git[@]}" rev-parse -q --verify 'origin/HEAD^{commit}' 2>/dev/null ||
    "${git[@]}" rev-parse -q --verify 'origin/main^{commit}' 2>/dev/null); then
    from=$("${git[@]}" merge-base HEAD "$branch" 2>/dev/null) || from=
    [ "$from" != "$("${git[@]}" rev-parse HEAD 2>/dev/null)" ] || from=
  fi
  if [ -z "$from" ]; then from=$("${git[@]}" rev-parse -q --verify 'HEAD^^{commit}' 2>/dev/null) || from=; fi
  echo "$from"
}

changed_files() {
  local git=(git -c "safe.directory=$root") from
  from=$(base_commit)
  if [ -n "$from" ]; then
    echo "changed since $("${git[@]}" log -1 --format='%h %s' "$from" 2>/dev/null)" >&2
    "${git[@]}" diff --name-only --diff-filter=d "$from" --
    "${git[@]}" ls-files --others --exclude-standard
  else
    echo "no commit to compare with: all files" >&2
    find src tests bench -name '*.cpp' | sort
  fi
}

# The simulator may not become more than 15 % dearer, in instructions, than it was, built on the same machine.
stage_instructions() {
  local from
  from=$(base_commit)
  [ -n "$from" ] || { echo "no commit to compare with"; return 0; }
  changed_files | grep -qE '^src/(base|fabric|topology|routing|traffic|flit)/|^bench/flit' ||
    { echo "nothing that the simulator is made of has changed"; return 0; }
  bench/flit_instructions --against "$from"
}

# Each source by itself, two at a time. After three minutes no further file is started, and how many were left is said.
stage_tidy() {
  local files left
  [ -z "$base" ] || git -c "safe.directory=$root" rev-parse -q --verify "$base^{commit}" >/dev/null ||
    { echo "no such commit: $base"; return 1; }
  mapfile -t files < <(changed_files | files_to_tidy)
  echo "${#files[@]} files"
  [ "${#files[@]}" != 0 ] || return 0
  configure tidy "${clang[@]}" -DBANYAN_BENCH=ON -DBANYAN_UNITY=OFF
  export root tidy_until=$(($(date +%s) + 180)) tidy_left=$root/build/tidy/left
  : >"$tidy_left"
  local ok=0
  printf '%s\0' "${files[@]}" | xargs -0 -P 2 -n 1 bash -c '
    [ "$(date +%s)" -lt "$tidy_until" ] || { echo "$1" >>"$tidy_left"; exit 0; }
    if ! out=$(clang-tidy-16 --quiet -p "$root/build/tidy" "$1" 2>/dev/null); then
      printf "%s\n" "$out"; exit 1
    fi' tidy || ok=1
  left=$(wc -l <"$tidy_left")
  [ "$left" = 0 ] || echo "$left files were left out for time"
  return $ok
}
