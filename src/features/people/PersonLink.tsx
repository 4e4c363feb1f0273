import { Link } from 'react-router'

/** A person's name as the title of their row or card. It opens their page. */
export function PersonLink({ to, name }: { to: string; name: string }) {
  return (
    <Link className="name-link" to={to}>
      {name}
    </Link>
  )
}
