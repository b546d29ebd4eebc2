import { setSellerName } from '../../domain/accounts/seller/set-seller-name.ts';
import { requireUser } from './authorize.ts';
import { builder } from './builder.ts';

builder.mutationField('setSellerName', (t) =>
  t.string({
    nullable: true,
    description: "The name buyers see on the signed-in creator's links; null takes it back.",
    args: { name: t.arg.string() },
    resolve: async (_root, args, { changes, db, allowWrite, ...context }) => {
      const { id } = requireUser(context);
      await allowWrite(id);
      const name = await setSellerName(db, id, args.name);
      changes.publish({ kind: 'seller-changed', id, ownerId: id });
      return name;
    },
  }),
);
