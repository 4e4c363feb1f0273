import { useState } from 'react'
import { problemTitle } from '#platform/api.web.ts'
import { FormButtons } from '#platform/ui/FormButtons.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useChangeMember } from './client.web.ts'
import { STUDENT_WORDS } from './naming.ts'
import { type Person, StudentChoice } from './StudentChoice.tsx'
import type { Kind, Member } from './workspace.ts'

interface StudentsDialogProps {
  member: Member
  name: string
  kind: Kind
  students: Person[]
  onClose: () => void
}

export function StudentsDialog({ member, name, kind, students, onClose }: StudentsDialogProps) {
  const toast = useToast()
  const change = useChangeMember()
  const [value, setValue] = useState(member.student_ids)
  const [problem, setProblem] = useState<string>()
  const words = STUDENT_WORDS[kind]
  const save = async () => {
    try {
      await change.mutateAsync({ member, input: { role: member.role, student_ids: value } })
      toast.success(`${words.title} changed`, `${name} sees the change right away.`)
      onClose()
    } catch (error) {
      setProblem(problemTitle(error, 'Your choice could not be saved'))
    }
  }
  return (
    <FormDialog
      title={`What ${name} sees`}
      isDirty={JSON.stringify(value) !== JSON.stringify(member.student_ids)}
      onClose={onClose}
      problem={problem}
      footer={
        <FormButtons
          label="Save"
          isBusy={change.isPending}
          blockedReason={value?.length === 0 ? 'Choose at least one' : undefined}
          onSubmit={() => void save()}
          onCancel={onClose}
        />
      }
    >
      <StudentChoice kind={kind} students={students} value={value} onChange={setValue} />
    </FormDialog>
  )
}
