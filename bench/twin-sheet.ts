/** The mapping file of the sheets that the parts about duplicates write. It has no imports: a process whose memory is measured loads it. */
export const MAPPING = `version: 1
dates: { order: iso }
columns:
  No: { field: id }
  Day: { field: date }
  At: { field: time }
  Sport: { field: activity }
  Km: { field: distance, unit: km }
  Took: { field: duration, format: seconds }
`;
