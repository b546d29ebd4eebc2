export { dialectOf } from '../../domain/dialect.ts';
