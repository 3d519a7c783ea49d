/** How a model is shown the label of a message that is nobody's statement: as a label, so that it is not taken for who spoke. */
export function labelled(label: string): string {
  return `labelled "${label.replaceAll('"', "'")}"`;
}
