import type { ReactNode } from 'react'

type Tone = 'plain' | 'parent' | 'tutor' | 'admin' | 'ok' | 'warn' | 'danger'
const TONES: Record<Tone, string> = {
  plain: '',
  parent: 'b-parent',
  tutor: 'b-tutor',
  admin: 'b-admin',
  ok: 'b-ok',
  warn: 'b-warn',
  danger: 'b-err',
}

/** A short word on a tinted background. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`bdg ${TONES[tone]}`}>{children}</span>
}

/** The roles' names on screen. */
export const ROLE_NAMES = { parent: 'Parent', tutor: 'Tutor', admin: 'Admin' }

/** The role's name in its color. A member who is neither parent nor tutor gets a name of their own. */
export function RoleBadge({ role, name }: { role: 'parent' | 'tutor' | 'admin'; name?: string }) {
  return <Badge tone={role}>{name ?? ROLE_NAMES[role]}</Badge>
}

/** A person's initials. */
export function Avatar({ initials }: { initials: string }) {
  return (
    <span className="av" aria-hidden="true">
      {initials}
    </span>
  )
}
