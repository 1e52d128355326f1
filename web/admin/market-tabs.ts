/** The pages about the market as a whole, in the order in which they are shown: one line for each. */
export const marketTabs: readonly { href: string; label: string }[] = [
  { href: '/admin/market', label: 'Settings' },
  { href: '/admin/farms', label: 'Farms' },
  { href: '/admin/audit', label: 'Audit' },
];
