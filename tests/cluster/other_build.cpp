// What makes another build of the same program: the linker's note differs.

extern const volatile int differs;
const volatile int differs = 1;
