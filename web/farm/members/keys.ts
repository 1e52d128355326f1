/** The keys of a farm's people in the query cache; each begins with `all`. */
export const membersKeys = {
  all: ['members'] as const,
  list: () => ['members', 'list'] as const,
  own: () => ['members', 'own invitations'] as const,
  invitation: (token: string) => ['members', 'invitation', token] as const,
};
