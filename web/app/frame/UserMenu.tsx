import { useAtomValue } from 'jotai';
import { Languages, LogOut } from 'lucide-react';
import type { ReactNode } from 'react';
import type { User } from '#contract/people/users/users';
import { nameOfLanguage } from '#contract/platform/market/constants/choices';
import { theReader } from '#contract/platform/text/constants/reader';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { useChooseLanguage } from '../../people/users/LanguageChoice.tsx';
import { useMarket } from '../../platform/format/market.ts';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../../platform/ui/dialogs/Menu.tsx';
import { CountBadge } from '../../platform/ui/primitives/Button.tsx';
import { useLogout } from '../use-logout.ts';
import { countsAtom } from './navigation.ts';
import { menuItemsOf } from './SignedInItems.tsx';

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
  const choose = useChooseLanguage();
  const others = useMarket().languages.filter((each) => each !== theReader().language);
  const counts = useAtomValue(countsAtom).places;
  return (
    <Menu label={t('Your account')} trigger={trigger} defaultOpen={defaultOpen}>
      {menuItemsOf(user).map(({ href, label, icon: Icon }) => (
        <MenuLink key={href} href={href} icon={Icon && <Icon />}>
          {writeMessage(label)}
          <CountBadge value={counts[href] ?? 0} className="ms-auto" />
        </MenuLink>
      ))}
      {others.length > 0 && <MenuSeparator />}
      {others.map((each) => (
        <MenuItem key={each} onSelect={() => void choose(each)} icon={<Languages />}>
          <span lang={each}>{nameOfLanguage(each)}</span>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={logout} icon={<LogOut />}>
        {t('Logout')}
      </MenuItem>
    </Menu>
  );
}
