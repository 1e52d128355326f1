import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { useMarket } from '../../platform/format/market.ts';
import { CountBadge, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { LanguageChoice } from './Footer.tsx';
import { isCurrentPath, mainItems, type NavItem } from './navigation.ts';
import { ThemeSwitch } from './ThemeSwitch.tsx';

/** The mobile menu: everything that the navigation bar holds on large screens. */
export function SmallMenu({
  path,
  children,
}: {
  path: string;
  /** What it holds for anyone who is signed in. */
  children: ReactNode;
}) {
  const { languages } = useMarket();
  return (
    <div className="wrap grid gap-3 border-t border-hairline pb-6 pt-3 animate-fade-in">
      <nav aria-label={t('Menu')}>
        <ul className="grid">
          {mainItems.map((item) => (
            <SmallLink key={item.href} item={item} path={path} />
          ))}
          {children || (
            <li className="mt-3 grid grid-cols-2 gap-3 border-t border-hairline pt-4">
              <LinkButton href="/login" variant="secondary">
                {t('Login')}
              </LinkButton>
              <LinkButton href="/register">{t('Register')}</LinkButton>
            </li>
          )}
        </ul>
      </nav>
      <div className="flex flex-wrap items-center gap-4">
        <ThemeSwitch />
        {languages.length > 1 && <LanguageChoice />}
      </div>
    </div>
  );
}

export const menuItemClass =
  'flex min-h-12 w-full items-center gap-3 rounded px-2 text-start text-base font-medium hover:bg-sunken aria-[current=page]:text-leaf';

export function SmallLink({
  item,
  path,
  count = 0,
}: {
  item: NavItem;
  path: string;
  count?: number;
}) {
  return (
    <li>
      <Link
        href={item.href}
        aria-current={isCurrentPath(item.href, path) ? 'page' : undefined}
        className={menuItemClass}
      >
        {item.icon && <item.icon className="size-5 text-ink-soft" />}
        {writeMessage(item.label)}
        <CountBadge value={count} />
      </Link>
    </li>
  );
}
