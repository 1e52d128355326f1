import { LogOut } from 'lucide-react';
import type { User } from '#contract/people/users/users';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../../platform/ui/dialogs/Menu.tsx';
import { CountBadge } from '../../platform/ui/primitives/Badge.tsx';
import { useLogout } from '../use-logout.ts';
import { type Counts, menuItemsOf } from './navigation.ts';
import { UserButton } from './UserButton.tsx';

/** The user menu in the navigation bar. Loaded only for signed-in users. */
export default function UserMenu({
  user,
  counts,
  defaultOpen,
}: {
  user: User;
  counts: Counts;
  /** Whether it was pressed before it was there. */
  defaultOpen: boolean;
}) {
  const logout = useLogout();
  return (
    <Menu label="Your account" trigger={<UserButton user={user} />} defaultOpen={defaultOpen}>
      {menuItemsOf(user).map(({ href, label, icon: Icon }) => (
        <MenuLink key={href} href={href} icon={Icon && <Icon aria-hidden="true" />}>
          {label}
          <CountBadge value={counts[href] ?? 0} className="ml-auto" />
        </MenuLink>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={logout} icon={<LogOut aria-hidden="true" />}>
        Logout
      </MenuItem>
    </Menu>
  );
}
