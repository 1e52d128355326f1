import type { Definition } from '../engine/definition.ts';
import { because, nameInText } from '../engine/wording.ts';

/** Notifies a farmer that an admin hid one of their products, with the reason, or showed it again. */
export const productHidden: Definition<'product.hidden'> = {
  kind: 'product.hidden',
  concerns: 'changeProducts',
  action: 'View product',
  subject: () => 'An admin changed whether one of your products is shown',
  digest: (count) => `An admin changed whether ${count} of your products are shown`,
  reactions: {
    'product.hidingChanged': ({ data: { _id, name, farmer, reason, version } }) => {
      const product = nameInText(name, 'A product');
      return [
        {
          do: 'notify',
          userId: farmer,
          kind: 'product.hidden',
          key: `product.hidden:${_id}:${version}`,
          title: reason === null ? `${product} is no longer hidden` : `${product} was hidden`,
          body:
            reason === null
              ? 'An admin has shown it again. Customers see it if it is active.'
              : `An admin has hidden it. Your other products aren't affected.${because(reason)}`,
          link: `/farmer/products/edit/${_id}`,
        },
      ];
    },
  },
};
