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

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`bdg ${TONES[tone]}`}>{children}</span>
}

export const ROLE_NAMES = { parent: 'Parent', tutor: 'Tutor', admin: 'Admin' }

/**
 * A badge with the role's name, in the role's color. For members who aren't parents or tutors, `name`
 * replaces the role's name.
 */
export function RoleBadge({ role, name }: { role: 'parent' | 'tutor' | 'admin'; name?: string }) {
  return <Badge tone={role}>{name ?? ROLE_NAMES[role]}</Badge>
}

export function Avatar({ initials }: { initials: string }) {
  return (
    <span className="av" aria-hidden="true">
      {initials}
    </span>
  )
}
