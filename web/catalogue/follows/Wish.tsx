import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { type Message, writeMessage } from '#contract/platform/text/constants/texts';
import { useSearchParam } from '../../platform/hooks/use-search-param.ts';
import { signInHref, useSignIn } from '../../platform/session/return-path.ts';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';

/** What customers ask for by a button. */
export interface Wish {
  /** The parameter of an address that asks for it once its reader has signed in. */
  param: 'alert' | 'follow';
  label: Message;
  icon: ReactNode;
  /** Once it is set. */
  setIcon: ReactNode;
  /** Writes what follows from it. */
  hint: (isSet: boolean) => string;
}

/** The frame of a button and its hint. */
const Row = ({ children }: { children: ReactNode }) => (
  <div className="needs-scripts flex flex-wrap items-center gap-x-3 gap-y-1.5">{children}</div>
);

const Hint = ({ text }: { text: string }) => (
  <p role="status" className="text-sm text-ink-soft">
    {text}
  </p>
);

/** Links visitors to the sign-in, after which what they pressed is set. */
export function WishSignIn({ wish: { param, label, icon, hint } }: { wish: Wish }) {
  const [path] = useLocation();
  const signIn = useSignIn();
  const pressed = `${path}?${param}=on`;
  return (
    <Row>
      <LinkButton
        variant="secondary"
        icon={icon}
        // The address is for a new tab; in this one the history entry says where to return.
        href={signInHref('/login', pressed)}
        onClick={(event) => {
          event.preventDefault();
          signIn(pressed);
        }}
      >
        {writeMessage(label)}
      </LinkButton>
      <Hint text={hint(false)} />
    </Row>
  );
}

/** The button of a customer, pressed once what it is for is set. */
export function WishButton({
  wish: { param, label, icon, setIcon, hint },
  isSet,
  pending,
  onSet,
}: {
  wish: Wish;
  isSet: boolean;
  pending: boolean;
  onSet: (isSet: boolean) => void;
}) {
  const [asked, setAsked] = useSearchParam(param);

  // Pressed before the sign-in.
  useEffect(() => {
    if (asked !== 'on') return;
    setAsked('');
    onSet(true);
  });

  return (
    <Row>
      <Button
        variant="secondary"
        icon={isSet ? setIcon : icon}
        pending={pending}
        aria-pressed={isSet}
        onClick={() => onSet(!isSet)}
        className="aria-pressed:border-leaf aria-pressed:bg-leaf-soft aria-pressed:text-leaf-ink"
      >
        {writeMessage(label)}
      </Button>
      <Hint text={hint(isSet)} />
    </Row>
  );
}
