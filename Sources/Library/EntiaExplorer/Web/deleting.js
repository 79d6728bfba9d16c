// Applies the delete rules to the deletion of a row. The result lists the removed rows, the
// references that become empty, those that deny the deletion, and those that dangle afterwards.
function deletionOf(row, nullifies) {
  const plan = { removed: [row], nullified: [], denied: [], dangling: [] };
  const isRemoved = new Set(plan.removed);
  const references = [];
  for (const removed of plan.removed) {
    const table = tableOf(removed);
    for (const relationship of table.holds) {
      if (relationship.deniesHolder && targetsOf(relationship, removed).length > 0) {
        plan.denied.push({ holder: removed, relationship });
      }
      if (!relationship.cascadesToTargets) continue;
      for (const target of targetsOf(relationship, removed)) {
        if (target < 0 || isRemoved.has(target)) continue;
        isRemoved.add(target);
        plan.removed.push(target);
      }
    }
    for (const relationship of table.referencedBy) {
      for (const holder of holdersOf(relationship, removed)) {
        if (isRemoved.has(holder)) continue;
        if (ruleOf(relationship, nullifies) === "cascade") {
          isRemoved.add(holder);
          plan.removed.push(holder);
        } else {
          references.push({ holder, relationship });
        }
      }
    }
  }
  const lists = { nullify: plan.nullified, deny: plan.denied, keepDangling: plan.dangling };
  for (const reference of references) {
    if (isRemoved.has(reference.holder)) continue;
    lists[ruleOf(reference.relationship, nullifies)].push(reference);
  }
  plan.removed.shift();
  return plan;
}

function ruleOf(relationship, nullifies) {
  const rule = nullifies ? "nullify" : relationship.onDelete;
  return rule === "nullify" && relationship.partOfID ? "deny" : rule;
}

const ruleTexts = {
  cascade: "cascades", nullify: "nullifies", deny: "denies", keepDangling: "dangles",
};
