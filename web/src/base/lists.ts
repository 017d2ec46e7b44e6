export function distinct<T>(items: Iterable<T>): T[] {
  return [...new Set(items)];
}
