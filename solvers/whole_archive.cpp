#include "solvers/whole_archive.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/part.hpp"

#include <algorithm>
#include <iterator>

namespace shoal {
namespace {

bool is_shared(const Field& field) {
  return field.location == Location::boundary_set || field.location == Location::whole;
}

Index entries_of(const Field& field) {
  return field.size / field.components;
}

/// [components, entries] of a field of a saved vector.
Values values_of(const Vector& saved, const Field& field, bool interleaved) {
  const auto block = saved.segment(field.offset, field.size);
  if (interleaved) return block.reshaped(field.components, entries_of(field));
  return block.reshaped(entries_of(field), field.components).transpose();
}

void set_values(const Values& values, const Field& field, bool interleaved, Vector& saved) {
  auto block = saved.segment(field.offset, field.size);
  if (interleaved)
    block = values.reshaped();
  else
    block = Values(values.transpose()).reshaped();
}

/// The entries of fields of a part, and those of the same fields of the whole.
class FieldNumbering {
 public:
  FieldNumbering(const Mesh& mesh, const Cells& cells, const Layout& layout) : mesh_(mesh), cells_(cells) {
    for (const Field& field : layout.fields()) {
      Index count = entries_of(field);
      elements_.push_back(is_shared(field) ? Array<Index>() : elements_in_whole(field, count));
      whole_.add(field.name, field.unit, field.location, field.components, count);
    }
  }
  /// Of the same fields in the whole.
  const Layout& whole() const { return whole_; }

  /// On rank 0, [components, entries of the whole].
  Values gather(const Field& here, std::size_t number, const Values& values) const {
    Values of_elements = Values::Zero(values.rows(), mesh_.part->in_whole(at(here)).size());
    for (Index i = 0; i < entries_of(here); ++i) of_elements.col(element(here, i)) = values.col(i);
    const Values all = gathered(mesh_, at(here), of_elements);
    const Array<Index>& elements = elements_[number];
    if (elements.empty() || all.cols() == 0) return all;
    Values some(all.rows(), elements.size());
    for (Index i = 0; i < elements.size(); ++i) some.col(i) = all.col(elements[i]);
    return some;
  }

  /// The entry of the whole that entry i here copies; any for what the whole does not have, such as cells that the rim of a part cuts.
  Index in_whole(const Field& here, std::size_t number, Index i) const {
    const Index element = mesh_.part->in_whole(at(here))[this->element(here, i)];
    const Array<Index>& elements = elements_[number];
    if (elements.empty()) return element;
    const auto found = std::lower_bound(elements.begin(), elements.end(), element);
    return found == elements.end() ? 0 : static_cast<Index>(found - elements.begin());
  }

 private:
  Location at(const Field& field) const { return place_of(field, cells_); }
  Index element(const Field& field, Index entry) const { return element_of(field, entry, cells_); }

  /// The elements of the whole that have entries, ascending; none listed: all. Sets the number of entries.
  Array<Index> elements_in_whole(const Field& field, Index& count) const {
    const Ranks& ranks = *mesh_.part->ranks;
    const bool merged = field.location == Location::cell && !cells_.first_element.empty();
    if (!field.of_elements && !merged) {
      std::int64_t all = own(mesh_, at(field)).count;
      ranks.add({&all, 1});
      count = static_cast<Index>(all);
      return {};
    }
    Values has_entry = Values::Zero(1, mesh_.part->in_whole(at(field)).size());
    for (Index i = 0; i < entries_of(field); ++i) has_entry(0, element(field, i)) = 1;
    const Values all = gathered(mesh_, at(field), has_entry);
    std::vector<double> with_entry;
    for (Eigen::Index k = 0; k < all.cols(); ++k)
      if (all(0, k) > 0) with_entry.push_back(static_cast<double>(k));
    Array<Index> elements;
    for (const double k : shared(ranks, Eigen::Map<const Vector>(with_entry.data(), std::ssize(with_entry))))
      elements.push_back(static_cast<Index>(k));
    count = elements.size();
    return elements;
  }

  const Mesh& mesh_;
  const Cells& cells_;
  Layout whole_;
  std::vector<Array<Index>> elements_;
};

/// The layout of a vector that is still empty, once it has entries for all elements.
Layout filled(const Layout& layout, const Mesh& mesh, const Cells& cells) {
  if (layout.size() > 0) return layout;
  Layout filled;
  for (const Field& field : layout.fields())
    filled.add(field.name, field.unit, field.location, field.components,
               field.location == Location::cell ? cells.count() : mesh.part->in_whole(field.location).size());
  return filled;
}

}  // namespace

Archive archive_of_whole(const Archive& of_part, const Mesh& mesh, const Cells& cells) {
  if (!mesh.part) return of_part;
  const bool gives = mesh.part->ranks->rank() == 0;
  Archive of_whole;
  for (const auto& [name, values] : of_part.values()) {
    const Placement* placement = of_part.placement(name);
    if (!placement || values.size() == 0) {
      of_whole.put(name, values);
      continue;
    }
    const std::vector<Field>& fields = placement->layout.fields();
    const FieldNumbering numbering(mesh, cells, placement->layout);
    Vector all = Vector::Zero(gives ? numbering.whole().size() : 0);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      Values of_field = values_of(values, fields[i], placement->interleaved);
      if (!is_shared(fields[i])) of_field = numbering.gather(fields[i], i, of_field);
      if (gives) set_values(of_field, numbering.whole().fields()[i], placement->interleaved, all);
    }
    of_whole.put(name, all);
  }
  return gives ? of_whole : Archive();
}

Archive archive_of_part(const Archive& of_whole, const Archive& like, const Mesh& mesh, const Cells& cells) {
  if (!mesh.part) return of_whole;
  const Ranks& ranks = *mesh.part->ranks;
  std::string names;
  for (const auto& [name, values] : of_whole.values()) names += name + '\n';
  names = ranks.share(names);
  Archive of_part;
  for (std::size_t begin = 0, end = 0; begin < names.size(); begin = end + 1) {
    end = names.find('\n', begin);
    const std::string name = names.substr(begin, end - begin);
    const Vector all = shared(ranks, of_whole.has(name) ? of_whole.vector(name) : Vector());
    const Placement* placement = like.placement(name);
    if (!placement || all.size() == 0) {
      of_part.put(name, all);
      continue;
    }
    const Layout layout = filled(placement->layout, mesh, cells);
    const FieldNumbering numbering(mesh, cells, layout);
    if (numbering.whole().size() != all.size())
      throw Error("the checkpoint belongs to another model: '" + name + "' has another size");
    Vector mine = Vector::Zero(layout.size());
    for (std::size_t i = 0; i < layout.fields().size(); ++i) {
      const Field& here = layout.fields()[i];
      const Values from = values_of(all, numbering.whole().fields()[i], placement->interleaved);
      Values to = from;
      if (!is_shared(here)) {
        to.resize(from.rows(), entries_of(here));
        for (Index k = 0; k < to.cols(); ++k) to.col(k) = from.col(numbering.in_whole(here, i, k));
      }
      set_values(to, here, placement->interleaved, mine);
    }
    of_part.put(name, mine);
  }
  return of_part;
}

}  // namespace shoal
