type FilterColumn = 'id' | 'type' | 'owner_id' | 'price_cents' | 'created_at';

/** Conditions on the public columns alone: a filter on key or url would leak them. */
export interface LinkCondition {
  column: FilterColumn;
  operator: '=' | '!=' | '<' | '<=' | '>' | '>=' | 'begins-with';
  value: string | number;
}
