import { MessageCircle } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAuth } from '../auth/use-auth.ts';
import { Button, LinkButton } from '../ui/Button.tsx';

/**
 * The button that opens a form to write to a farmer. Farmers do not see it; a visitor is led to the
 * sign-in. `children` makes the form, and gets what closes it.
 */
export function MessageFarmer({ children }: { children: (close: () => void) => ReactNode }) {
  const { user } = useAuth();
  const [isOpen, setOpen] = useState(false);
  if (user?.role === 'farmer') return null;
  if (isOpen) return children(() => setOpen(false));
  const look = { variant: 'secondary', icon: <MessageCircle /> } as const;
  return user ? (
    <Button {...look} onClick={() => setOpen(true)}>
      Message Farmer
    </Button>
  ) : (
    <LinkButton {...look} href="/login">
      Message Farmer
    </LinkButton>
  );
}
