/** Only the fields that were given a value: what an update leaves out keeps what it was. */
export const defined = <T extends object>(
  fields: T,
): { [Key in keyof T]: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
