import { type Kysely, sql } from 'kysely';

/** The sales of a creator by their price. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(
      `create index purchase_dearest_of_seller
        on purchase (seller_id, price_cents, settled_at, id) where settled_at is not null`,
    )
    .execute(db);
}
