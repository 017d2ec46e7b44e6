// Messages that wait in a seat, in their order. Private to Workload. It keeps its memory: while as many come
// as are taken, nothing is allocated.
#pragma once
#include <utility>
#include <vector>

#include "flit/workload.hpp"

namespace banyan::flit {

class PostQueue {
 public:
  using Post = Workload::Post;

  bool empty() const { return next_ == posts_.size(); }
  const Post& front() const { return posts_[next_]; }

  void push(const Post& post) {
    if (empty()) posts_.clear(), next_ = 0;
    posts_.push_back(post);
  }
  // Before those at the end that `is_before` puts behind it.
  void insert(const Post& post, bool (*is_before)(const Post&, const Post&)) {
    push(post);
    for (std::size_t i = posts_.size() - 1; i > next_ && is_before(posts_[i], posts_[i - 1]); --i)
      std::swap(posts_[i], posts_[i - 1]);
  }
  // What was taken is given back before it is the larger half.
  Post take() {
    const Post out = posts_[next_++];
    if (next_ >= 64 && 2 * next_ >= posts_.size()) {
      posts_.erase(posts_.begin(), posts_.begin() + static_cast<std::ptrdiff_t>(next_));
      next_ = 0;
    }
    return out;
  }

 private:
  std::vector<Post> posts_;
  std::size_t next_ = 0;  // those before it were taken
};

}  // namespace banyan::flit
