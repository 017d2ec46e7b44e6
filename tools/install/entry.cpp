// libbanyan.so is made of src/library, which is a static library too; CMake wants a file of its own.
