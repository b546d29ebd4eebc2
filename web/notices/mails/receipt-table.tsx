import { say } from '../../languages/say.ts';

const CELL = { padding: '12px 0' };
const ROW = { ...CELL, borderBottom: '1px solid #dfe3e9' };
const SUM = { ...CELL, fontWeight: 600 };

interface ReceiptTableProps {
  /** What was bought, and from whom. */
  item: string;
  price: string;
  /** Null where there was none. */
  tax: string | null;
  day: string;
  total: string;
}

/** What was paid for one thing. */
export function ReceiptTable({ item, price, tax, day, total }: ReceiptTableProps) {
  return (
    <table style={{ width: '100%', margin: '0 0 24px', borderCollapse: 'collapse' }}>
      <tbody>
        <tr>
          <td className="line" style={ROW}>
            {item}
          </td>
          <td className="line" style={{ ...ROW, textAlign: 'right' }}>
            {price}
          </td>
        </tr>
        {tax && (
          <tr>
            <td className="line" style={ROW}>
              {say('Tax')}
            </td>
            <td className="line" style={{ ...ROW, textAlign: 'right' }}>
              {tax}
            </td>
          </tr>
        )}
        <tr>
          <td style={SUM}>{say('Paid on {day}', { day })}</td>
          <td style={{ ...SUM, textAlign: 'right' }}>{total}</td>
        </tr>
      </tbody>
    </table>
  );
}
