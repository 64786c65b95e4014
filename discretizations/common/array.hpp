// An array indexed by Index, like the vectors and matrices of Eigen.
#pragma once

#include "discretizations/common/types.hpp"

#include <cassert>
#include <vector>

namespace shoal {

template <class T>
class Array {
 public:
  Array() = default;
  explicit Array(Index count, const T& value = T()) : values_(static_cast<std::size_t>(count), value) {}
  Array(std::initializer_list<T> values) : values_(values) {}
  template <class Iterator>
  requires(!std::is_integral_v<Iterator>) Array(Iterator begin, Iterator end) : values_(begin, end) {}

  Index size() const { return static_cast<Index>(values_.size()); }
  bool empty() const { return values_.empty(); }
  T& operator[](Index i) {
    assert(i >= 0 && i < size());
    return values_[static_cast<std::size_t>(i)];
  }
  const T& operator[](Index i) const {
    assert(i >= 0 && i < size());
    return values_[static_cast<std::size_t>(i)];
  }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  T& front() { return values_.front(); }
  const T& front() const { return values_.front(); }
  T& back() { return values_.back(); }
  const T& back() const { return values_.back(); }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  auto rbegin() const { return values_.rbegin(); }
  auto rend() const { return values_.rend(); }

  void assign(Index count, const T& value) { values_.assign(static_cast<std::size_t>(count), value); }
  void resize(Index count) { values_.resize(static_cast<std::size_t>(count)); }
  void reserve(Index count) { values_.reserve(static_cast<std::size_t>(count)); }
  void clear() { values_.clear(); }
  void push_back(const T& value) { values_.push_back(value); }
  void push_back(T&& value) { values_.push_back(std::move(value)); }
  void pop_back() { values_.pop_back(); }

  bool operator==(const Array&) const = default;

 private:
  std::vector<T> values_;
};

}  // namespace shoal
