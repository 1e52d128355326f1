/** The keys of a farm's pickup places in the query cache; each begins with `all`. */
export const placesKeys = {
  all: ['places'] as const,
  list: () => ['places', 'list'] as const,
};
