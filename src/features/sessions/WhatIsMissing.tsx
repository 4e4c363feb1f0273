import { Link } from 'react-router'
import { useCanAddPeople } from '#features/accounts/client.web.ts'
import { paths } from '#features/site/paths.ts'
import { Notice } from '#platform/ui/Notice.tsx'

/** What has to be added before a session can be logged. Renders nothing if that's all there. */
export function WhatIsMissing({
  isParent,
  hasStudents,
  hasTutors,
}: {
  isParent: boolean
  hasStudents: boolean
  hasTutors: boolean
}) {
  const canAdd = useCanAddPeople()
  if (hasStudents && hasTutors) return null
  if (!canAdd)
    return (
      <div className="mt-5">
        <Notice>
          There’s nobody to log a session for yet.{' '}
          {isParent ? 'Ask a parent to add children and tutors.' : 'Ask the owner to add students.'}
        </Notice>
      </div>
    )
  const studentLink = (
    <Link className="link" to={isParent ? paths.children : paths.students}>
      {isParent ? 'add a child' : 'add a student'}
    </Link>
  )
  const tutorLink = (
    <Link className="link" to={paths.tutors}>
      add a tutor
    </Link>
  )
  return (
    <div className="mt-5">
      <Notice>
        Before you log a session, {!hasStudents && studentLink}
        {!hasStudents && !hasTutors && ' and '}
        {!hasTutors && tutorLink}.
      </Notice>
    </div>
  )
}
