// A shared library that knows nothing of Shoal.
extern "C" int answer() {
  return 42;
}
