/** The pages about the market as a whole, in the order in which they are shown: one line for each. */
export const marketTabs: readonly { href: string; label: string }[] = [
  { href: '/admin/market', label: 'Settings' },
  { href: '/admin/pages', label: 'Pages' },
  { href: '/admin/farms', label: 'Farms' },
  { href: '/admin/reports', label: 'Reports' },
  { href: '/admin/health', label: 'Health' },
  { href: '/admin/audit', label: 'Audit' },
];
