import { callLink } from './phone.ts'
import type { Tutor } from './tutor.ts'

/** A link that emails the tutor. */
export function Email({ tutor: { name, email } }: { tutor: Tutor }) {
  if (!email) return null
  return (
    <a
      className="link inline-flex min-h-11 items-center wrap-anywhere"
      href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}
      title={`Email ${name}`}
    >
      {email}
    </a>
  )
}

/** A link that calls the tutor, if their phone number is one. */
export function Phone({ tutor: { name, phone } }: { tutor: Tutor }) {
  const to = phone && callLink(phone)
  if (!to) return phone && <span className="inline-flex min-h-11 items-center wrap-anywhere">{phone}</span>
  return (
    <a
      className="link num inline-flex min-h-11 min-w-11 items-center max-md:wrap-anywhere md:whitespace-nowrap"
      href={to}
      title={`Call ${name}`}
    >
      {phone}
    </a>
  )
}
