/** The key of the categories in the query cache. */
export const categoriesKeys = {
  list: () => ['categories'] as const,
};
