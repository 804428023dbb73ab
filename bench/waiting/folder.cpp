#include <bench/waiting/folder.hpp>
#include <bench/waiting/work.hpp>

#include <sys/uio.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace waiting {

namespace {
std::string fresh_folder() {
  std::string path = std::filesystem::temp_directory_path() / "heist-waiting-XXXXXX";
  bench::expect(::mkdtemp(path.data()) != nullptr, "a temporary folder");
  return path;
}
}  // namespace

folder_of_files::folder_of_files(long count) : path_(fresh_folder()), all_(path_, count) {
  std::vector<char> content(file_size);
  word x = 1;
  for (long i = 0; i < count; ++i) {
    for (char& c : content) c = static_cast<char>((x = chain(x, 1)) >> 56);
    std::ofstream(all_.path(i), std::ios::binary).write(content.data(), static_cast<std::streamsize>(file_size));
  }
  ::sync();
}

folder_of_files::~folder_of_files() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void folder_of_files::forget() const {
  long kept = 0;
  for (long i = 0; i < all_.count(); ++i) {
    const int fd = ::open(all_.path(i).c_str(), O_RDONLY | O_CLOEXEC);
    ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    if (i % 100 == 0) {
      char first = 0;
      iovec one{&first, 1};
      kept += ::preadv2(fd, &one, 1, 0, RWF_NOWAIT) == 1;
    }
    ::close(fd);
  }
  if (100 * kept * 20 > all_.count()) std::printf("the page cache has kept more than a twentieth of the files\n");
}

}  // namespace waiting
