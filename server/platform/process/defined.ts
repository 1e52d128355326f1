/** Returns the object without its undefined fields, so that an update leaves those columns alone. */
export const defined = <T extends object>(
  fields: T,
): { [Key in keyof T]: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
