import { useQuery } from '@tanstack/react-query';
import { Heart } from 'lucide-react';
import { msg, t } from '#contract/platform/text/constants/texts';
import { useAuth } from '../../platform/session/session.ts';
import { followsQuery } from './queries.ts';
import { type Followable, useFollow } from './use-follow.ts';
import { type Wish, WishButton, WishSignIn } from './Wish.tsx';

const heart = {
  param: 'follow',
  icon: <Heart />,
  setIcon: <Heart className="fill-current" />,
} as const;

const WISHES: Record<Followable['kind'], Wish> = {
  product: {
    ...heart,
    label: msg('Favorite'),
    hint: (isSet) => (isSet ? t("We'll tell you when it's back after it was sold out.") : ''),
  },
  farm: {
    ...heart,
    label: msg('Follow'),
    hint: (isSet) => (isSet ? t("We'll tell you of its new products.") : ''),
  },
};

/**
 * What customers press at a product or a farm to have it among their favorites. Links visitors to the sign-in, after
 * which it is pressed (`?follow=on`). Not for farmers and admins.
 */
export function FollowButton({ subject }: { subject: Followable }) {
  const { user } = useAuth();
  if (!user) return <WishSignIn wish={WISHES[subject.kind]} />;
  return user.role === 'consumer' ? <Switch subject={subject} /> : null;
}

function Switch({ subject }: { subject: Followable }) {
  const { data } = useQuery(followsQuery());
  const { mutate, isPending, variables } = useFollow(subject);
  const follow = data?.find((each) => each[subject.kind]?._id === subject.id);
  const wish = WISHES[subject.kind];
  return (
    <WishButton
      // Who was told is told again only once they ask, at the sold-out product.
      wish={follow?.state === 'told' ? { ...wish, hint: () => '' } : wish}
      isSet={isPending ? variables : follow !== undefined}
      pending={isPending}
      onSet={mutate}
    />
  );
}
