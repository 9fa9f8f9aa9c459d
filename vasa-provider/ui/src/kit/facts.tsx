import type { ReactNode } from 'react';

/** Facts about an object: what each is of, and its value. */
export function Facts({ of }: { of: readonly (readonly [string, ReactNode])[] }) {
  return (
    <table className="c-facts">
      <tbody>
        {of.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
