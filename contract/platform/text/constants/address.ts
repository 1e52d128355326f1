/** Formats an address in one line, omitting missing parts: '1 Mill Rd, Salem, OR 97301'. */
export function formatAddress(
  address:
    | {
        street?: string | null;
        city?: string | null;
        state?: string | null;
        zipCode?: string | null;
      }
    | null
    | undefined,
): string {
  const region = [address?.state, address?.zipCode].filter(Boolean).join(' ');
  return [address?.street, address?.city, region].filter(Boolean).join(', ');
}
