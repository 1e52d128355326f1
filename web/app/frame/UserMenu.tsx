import { useAtomValue } from 'jotai';
import { LogOut } from 'lucide-react';
import type { ReactNode } from 'react';
import type { User } from '#contract/people/users/users';
import { t } from '#contract/platform/text/constants/texts';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../../platform/ui/dialogs/Menu.tsx';
import { CountBadge } from '../../platform/ui/primitives/Button.tsx';
import { useLogout } from '../use-logout.ts';
import { countsAtom, menuItemsOf } from './navigation.ts';

/** The user menu in the navigation bar. Loaded only for signed-in users. */
export default function UserMenu({
  user,
  trigger,
  defaultOpen,
}: {
  user: User;
  trigger: ReactNode;
  /** Whether it was pressed before it was there. */
  defaultOpen: boolean;
}) {
  const logout = useLogout();
  const counts = useAtomValue(countsAtom).places;
  return (
    <Menu label={t('Your account')} trigger={trigger} defaultOpen={defaultOpen}>
      {menuItemsOf(user).map(({ href, label, icon: Icon }) => (
        <MenuLink key={href} href={href} icon={Icon && <Icon />}>
          {label}
          <CountBadge value={counts[href] ?? 0} className="ms-auto" />
        </MenuLink>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={logout} icon={<LogOut />}>
        {t('Logout')}
      </MenuItem>
    </Menu>
  );
}
